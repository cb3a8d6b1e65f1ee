import { randomUUID } from "node:crypto"
import type { PagePosition } from "@care/domain/http"

const randomLength = 21

// The digits of a UUID of version 7 up to its version.
const timeOf = (millis: number): string => {
  const digits = millis.toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`
}

/** Returns the beginning of the ids of records of a moment. The last 21 characters of a random UUID complete it. */
export const idPrefixOf = (at: Date): string => `${timeOf(at.getTime())}7`

/** Makes the id of a record: a UUID of version 7, so that ids are in the order of time, and new ones are beside each other in an index. */
export const newRecordId = (at: Date): string => idPrefixOf(at) + randomUUID().slice(-randomLength)

/** Returns the lowest id of a moment. */
export const lowestIdOf = (at: Date): string => `${timeOf(at.getTime())}0000-0000-000000000000`

/** Returns the id before which all records are that come after a position in a list, newest first. The position may be that of another id. */
export const idBoundOf = ({ createdAt, id }: PagePosition): string => {
  const time = timeOf(createdAt.getTime())
  if (id.startsWith(time)) return id
  return lowestIdOf(id > time ? new Date(createdAt.getTime() + 1) : createdAt)
}
