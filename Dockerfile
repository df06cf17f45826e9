# The shop in one image: docs/deployment.md. `npm run check:image` goes through the same steps
# without Docker, with the Node.js that is there.
ARG NODE=22-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /shop
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:standalone

FROM node:${NODE}
LABEL org.opencontainers.image.title="Mini Ecommerce" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /shop
COPY --from=build /shop/.next/shop ./
# The shop may change nothing else: .data holds what is sold, and uploads and mails where they have
# no other place (mount a volume), .next/cache pictures in the sizes that were asked for.
RUN install -d -o node -g node -m 0750 .data .next/cache
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOSTNAME=0.0.0.0 \
    PORT=3000 \
    MALLOC_ARENA_MAX=2
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node.js itself is the first process, so that the signal to stop reaches it. The bounds are those of
# scripts/next-program.ts.
CMD ["node", "--max-old-space-size=320", "--max-semi-space-size=8", "--max-http-header-size=131072", \
  "--import", "./gate.mjs", "server.js"]
