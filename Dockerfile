# syntax=docker/dockerfile:1
# One image for every process: `run_gunicorn` (web), `run_qcluster` (worker), `migrate`, or `up`, which is all of them and a database.
# `make test-image` does the same steps in an empty Debian, without Docker, and tries what comes of them.

FROM python:3.13-slim AS build
ENV PATH=/venv/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /venv
WORKDIR /src
COPY requirements/build.txt requirements/extras.txt requirements/
# With what only some settings need (OTEL_EXPORTER_OTLP_ENDPOINT, EMBEDDINGS_KIND=onnx, RERANK_KIND=onnx): nothing can be installed into the image later.
RUN pip install --require-hashes -r requirements/build.txt \
 && pip install --require-hashes --no-build-isolation -r requirements/extras.txt
COPY . .
RUN pip install --no-deps --no-build-isolation . && python -m compileall -q /venv/lib

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin docsmcp \
 && install -d -o docsmcp -g docsmcp -m 0700 /data
COPY --from=build /venv /venv
# Nothing is written but /data and /tmp: the root file system may be read-only.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/data MCP_SERVER_HOST=0.0.0.0 MCP_SERVER_PORT=8001 LOG_FORMAT=json
USER docsmcp
WORKDIR /data
VOLUME /data
EXPOSE 8001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8001/livez', timeout=2)"]
ENTRYPOINT ["docsmcp"]
CMD ["up"]
