# One image for the five processes; compose chooses which one runs. No build step: Node runs the TypeScript. The base
# image is named by its digest, which .env.example says how to look up.
ARG NODE_DIGEST
FROM node:24-slim@${NODE_DIGEST} AS install
WORKDIR /app
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages packages
COPY services services
RUN npx -y pnpm@12 install --prod --frozen-lockfile --filter "@care/gateway..." --filter "@care/auth..." \
  --filter "@care/cases..." --filter "@care/payments..." --filter "@care/scheduling..."

FROM node:24-slim@${NODE_DIGEST}
WORKDIR /app
ENV NODE_ENV=production
COPY --from=install /app /app
COPY docker/healthcheck.ts docker/healthcheck.ts
COPY docs/webhooks.md docs/webhooks.md
# Where a volume is mounted, whose owner is that of the folder.
RUN install -d -o node -g node -m 700 /var/lib/care/audit
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "docker/healthcheck.ts"]
CMD ["node", "services/gateway/src/main.ts"]
