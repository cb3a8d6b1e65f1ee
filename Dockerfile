# One image for the five processes; compose chooses which one runs. No build step: Node runs the TypeScript.
FROM node:24-slim AS install
WORKDIR /app
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages packages
COPY services services
RUN npx -y pnpm@12 install --prod --frozen-lockfile --filter "@care/gateway..." --filter "@care/auth..." \
  --filter "@care/cases..." --filter "@care/payments..." --filter "@care/scheduling..."

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=install --chown=node:node /app /app
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/gateway/src/main.ts"]
