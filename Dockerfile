# syntax=docker/dockerfile:1
# One image for every process: `up` (web and worker together), or any other docsmcp command.

FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /venv
ENV PATH=/venv/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN pip install --require-hashes -r requirements/build.txt \
 && pip install --require-hashes --no-build-isolation -r requirements/runtime.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data docsmcp && install -d -o docsmcp -g docsmcp /data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py pyproject.toml LICENSE README.md ./
COPY docs docs
COPY templates templates
COPY docsmcp_site docsmcp_site
COPY collections_app collections_app
COPY mcp_app mcp_app
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/data MCP_SERVER_HOST=0.0.0.0 MCP_SERVER_PORT=8001 LOG_FORMAT=json
USER docsmcp
VOLUME /data
EXPOSE 8001
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8001/livez', timeout=2)"]
ENTRYPOINT ["python", "manage.py"]
CMD ["up"]
