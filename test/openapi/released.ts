import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { publicDocument } from "@care/gateway/openapi"
import { Predicate } from "effect"
import type { OpenApi } from "./OpenApi.ts"

const folder = join(import.meta.dirname, "../../docs/openapi")

/** The file of a released version. */
export const releasedFile = (version: string): string => join(folder, `${version}.json`)

/** The versions that were released, the oldest first. */
export const releasedVersions = readdirSync(folder)
  .map((name) => name.slice(0, -".json".length))
  .sort()

export const readReleased = (version: string): OpenApi => JSON.parse(readFileSync(releasedFile(version), "utf8"))

const wording = new Set(["description", "summary", "example", "examples", "tags", "title"])

// Of headers the names are kept.
const kept = (name: string, inner: unknown, isOfNames: boolean): unknown =>
  name === "headers" && !isOfNames && Predicate.isObject(inner)
    ? Object.fromEntries(Object.keys(inner).map((header) => [header, {}]))
    : withoutWording(inner, !isOfNames && name === "properties")

// Fields of bodies may be called like wording.
const withoutWording = (value: unknown, isOfNames = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutWording(item))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      !isOfNames && wording.has(name) ? [] : [[name, kept(name, inner, isOfNames)]]
    )
  )
}

const isOfPartners = (path: string): boolean => path.startsWith("/api/v1/")

const { components, paths, webhooks } = publicDocument

const used = (value: unknown, found: Set<string>): Set<string> => {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    used(components?.schemas?.[name], found)
  }
  return found
}

const ofPartners = Object.fromEntries(Object.entries(paths).filter(([path]) => isOfPartners(path)))
const names = used([ofPartners, webhooks], new Set())

/** The present document of partners, without its wording. */
export const presentDocument: OpenApi = JSON.parse(
  JSON.stringify(
    withoutWording({
      paths: ofPartners,
      webhooks,
      schemas: Object.fromEntries([...names].sort().map((name) => [name, components?.schemas?.[name]]))
    })
  )
)
