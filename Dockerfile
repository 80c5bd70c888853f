# One image for the API, the workers and the operator's commands: the source as it stands, the
# packages that it needs at run time, and Node. There is nothing to compile.

FROM node:24-slim AS build
ENV TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-fund --no-audit \
 && npm run --silent generate
RUN npx turbo prune @atelier/api @atelier/worker @atelier/cli --production --out-dir /pruned \
 && cp -r prisma /pruned/prisma \
 && cp -r packages/database/src/generated /pruned/packages/database/src/generated
WORKDIR /pruned
# Node itself comes with the image; without this, npm would bring another.
RUN npm pkg delete devDependencies --workspaces --include-workspace-root \
 && npm pkg delete optionalDependencies \
 && npm ci --omit=dev --omit=peer --ignore-scripts --no-fund --no-audit

FROM node:24-slim
# Encoding and the file system share libuv's threads: four of them would wait for each other. With an
# arena for each of them, glibc keeps a hundred megabytes more. Young objects are few: room for more
# would only be filled with dead ones.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=1 \
    NODE_OPTIONS="--disable-warning=ExperimentalWarning --max-semi-space-size=4" \
    UV_THREADPOOL_SIZE=16
WORKDIR /atelier
COPY --from=build /pruned ./
# Nothing is written there, and nobody who gets in may: the files belong to root.
USER node
CMD ["node", "apps/api/src/main.ts"]
