# One image for the five processes and the stand-ins of sandboxes; compose chooses which one runs. It holds the program of each, as
# `pnpm build` writes it, and what is native. The base image is named by its digest, which .env.example says how to look up.
ARG NODE_DIGEST
FROM node:24-slim@${NODE_DIGEST} AS build
WORKDIR /app
# npm compares the package manager with the integrity in its lockfile.
COPY .ci/pnpm .ci/pnpm
RUN npm install --prefix .ci/pnpm --no-save --no-audit --no-fund
ENV PNPM=/app/.ci/pnpm/node_modules/.bin/pnpm
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages packages
COPY services services
COPY docs docs
RUN $PNPM install --prod --frozen-lockfile --filter "@care/build..."
RUN npm_execpath=$PNPM node packages/build/src/main.ts

FROM node:24-slim@${NODE_DIGEST}
WORKDIR /app
ENV NODE_ENV=production
ENV CONSOLE_DIR=/app/console
ENV DOCS_DIR=/app/docs
COPY --from=build /app/dist ./
COPY docker/healthcheck.ts healthcheck.ts
# Where volumes are mounted, whose owner is that of the folder.
RUN install -d -o node -g node -m 700 /var/lib/care/audit /var/lib/care/erasures /var/lib/care/stand-ins
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "healthcheck.ts"]
CMD ["node", "gateway.mjs"]
