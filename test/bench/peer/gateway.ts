import { createHash } from "node:crypto"
import proxy from "@fastify/http-proxy"
import Fastify from "fastify"
import pg from "pg"

const [port = "", upstream = "", databaseUrl = ""] = process.argv.slice(2)

const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
const cachedKeys = new Map<string, { readonly organizationId: string; readonly id: string; readonly until: number }>()

const keyOf = async (key: string) => {
  const hash = createHash("sha3-512").update(key).digest("hex")
  const cached = cachedKeys.get(hash)
  if (cached !== undefined && cached.until > Date.now()) return cached
  const { rows } = await pool.query<{ id: string; organization_id: string }>(
    `SELECT k.id, k.organization_id FROM auth.api_keys k JOIN auth.organizations o ON o.id = k.organization_id
     WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND NOT o.is_disabled`,
    [hash]
  )
  const [row] = rows
  if (row === undefined) return undefined
  const found = { organizationId: row.organization_id, id: row.id, until: Date.now() + 3000 }
  cachedKeys.set(hash, found)
  return found
}

const app = Fastify({ bodyLimit: 20 * 1024 * 1024 })

await app.register(proxy, {
  upstream,
  undici: { connections: 128 },
  preHandler: async (request, reply) => {
    const key = request.headers["cv-api-key"]
    const apiKey = typeof key === "string" ? await keyOf(key) : undefined
    if (apiKey === undefined) return reply.code(401).send({ success: false, message: "Unauthorized" })
    request.headers["x-organization-id"] = apiKey.organizationId
    request.headers["x-api-key-id"] = apiKey.id
    request.headers["x-request-id"] ??= request.id
  }
})

await app.listen({ port: Number(port), host: "127.0.0.1" })
process.send?.("ready")
