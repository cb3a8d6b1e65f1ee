import { Effect } from "effect"
import type { makeAdmin } from "./makeAdmin.ts"

const providers = 5

/** An organization of a benchmark. */
export type BenchOrganization = Effect.Success<ReturnType<typeof makeOrganization>>

/** Makes an organization with a key, a product and some providers. */
export const makeOrganization = Effect.fnUntraced(function* (admin: ReturnType<typeof makeAdmin>, name: string) {
  const organizationId = yield* admin.create("/organizations", { name })
  const path = `/organizations/${organizationId}`
  const { key } = yield* admin.call("POST", `${path}/api-keys`, {})
  const productId = yield* admin.create(`${path}/products`, { name: "Program" })
  const providerIds = yield* Effect.forEach(Array.from({ length: providers }).keys(), (index) =>
    admin.create(`${path}/members`, {
      role: "PROVIDER",
      email: `provider${index}@example.com`,
      firstName: "Jane",
      lastName: "Rivera",
      licensedStates: ["CA"]
    })
  )
  return { organizationId, key: String(key), productId, providerIds }
})
