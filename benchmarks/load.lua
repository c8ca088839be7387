-- For wrk: the requests of a file, one body a line, each once before any comes again. Prints what it measured as JSON.
local threads = {}

function setup(thread)
   table.insert(threads, thread)
end

function init(arguments)
   bodies, position, failed = {}, 0, 0
   for line in io.lines(arguments[1]) do
      table.insert(bodies, line)
   end
   headers = {
      ["Content-Type"] = "application/json",
      ["Accept"] = "application/json, text/event-stream",
      ["MCP-Protocol-Version"] = "2025-06-18",
   }
   if arguments[2] then
      headers["Authorization"] = "Bearer " .. arguments[2]
   end
end

function request()
   position = position % #bodies + 1
   return wrk.format("POST", nil, headers, bodies[position])
end

function response(status, _, body)
   if status ~= 200 or not body:find('"result"', 1, true) or body:find('"isError":true', 1, true) then
      failed = failed + 1
   end
end

function done(summary, latency)
   local refused = 0
   for _, thread in ipairs(threads) do
      refused = refused + thread:get("failed")
   end
   io.write(string.format(
      'MEASURED {"requests": %d, "seconds": %f, "median": %f, "p95": %f, "failed": %d}\n',
      summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(95) / 1e3,
      refused + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
   ))
end
