import { Schema } from "effect"
import { type Host, hosts, jane, organizationUri, pageOfHost, userUri } from "./Host.ts"
import { micros } from "./params.ts"
import { notFound } from "./Refusal.ts"
import { route } from "./route.ts"

const madeAt = micros(Date.UTC(2024, 0, 2, 15))

const shownUser = (url: string, host: Host) => ({
  uri: userUri(url, host),
  name: host.name,
  slug: host.slug,
  email: host.email,
  scheduling_url: pageOfHost(host),
  timezone: host.timezone,
  avatar_url: null,
  created_at: madeAt,
  updated_at: madeAt,
  current_organization: organizationUri(url),
  resource_type: "User",
  locale: "en"
})

/** The routes of users: the hosts, and the owner of the token. */
export const userRoutes = [
  route("GET", "/users/:user", Schema.Struct({}), ({ url }, _, { ids: [id] }) => {
    const host = id === "me" ? jane : hosts.find((candidate) => candidate.id === id)
    if (host === undefined) throw notFound()
    return { resource: shownUser(url, host) }
  })
]
