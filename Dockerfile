# The shop in one image: docs/deployment.md. `npm run check:image` runs the same steps without Docker,
# on the installed Node.js.
ARG NODE=24-bookworm-slim

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
# The only writable folders: .data for files for sale, and for uploads and mails without S3 and Resend
# (mount a volume), .next/cache for resized pictures.
RUN install -d -o node -g node -m 0750 .data .next/cache
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    PORT=3000
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node.js runs as PID 1, so that it gets SIGTERM.
CMD ["node", "server.mjs"]
