// One of the official TypeScript clients against a server; prints what it saw as one line of JSON (observation.py).
// usage: node observe.cjs 2.x legacy|auto|REVISION   or   node observe.cjs 1.x
// The server is in the environment: MCP_URL, MCP_KEY; what to ask for in MCP_ERRAND (JSON).
"use strict";

const LIBRARIES = {
  "2.x": () => require("@modelcontextprotocol/client"),
  "1.x": () => ({
    ...require("@modelcontextprotocol/sdk/client/index.js"),
    ...require("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  }),
};

async function getError(promise) {
  const answer = await promise.then(
    (result) => ({ code: null, message: `no error but ${JSON.stringify(result)}` }),
    (error) => ({ code: error.code ?? null, message: error.message }),
  );
  return answer;
}

async function observe(client, errand) {
  const names = (entries) => entries.map((entry) => entry.uri ?? entry.uriTemplate ?? entry.name);
  return {
    tools: names((await client.listTools()).tools),
    resources: names((await client.listResources()).resources),
    templates: names((await client.listResourceTemplates()).resourceTemplates),
    prompts: names((await client.listPrompts()).prompts),
    called: (await client.callTool({ name: errand.tool, arguments: errand.arguments })).content[0].text,
    read: (await client.readResource({ uri: errand.uri })).contents[0].text,
    unknown_tool: await getError(client.callTool({ name: errand.unknown_tool, arguments: {} })),
    missing_resource: await getError(client.readResource({ uri: errand.missing_uri })),
  };
}

async function main(library, mode) {
  const { Client, StreamableHTTPClientTransport } = LIBRARIES[library]();
  const versionNegotiation = { mode: /^\d/.test(mode) ? { pin: mode } : mode };
  const client = new Client({ name: "docsmcp-check", version: "1" }, { versionNegotiation });
  const headers = { Authorization: `Bearer ${process.env.MCP_KEY}` };
  const transport = new StreamableHTTPClientTransport(new URL(process.env.MCP_URL), { requestInit: { headers } });
  await client.connect(transport);
  const revision = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? null;
  const seen = await observe(client, JSON.parse(process.env.MCP_ERRAND));
  await client.close();
  console.log(JSON.stringify({ revision, ...seen }));
}

main(process.argv[2], process.argv[3] ?? "legacy").catch((error) => {
  console.error(error);
  process.exit(1);
});
