import { PersonSnapshot } from "@care/domain/auth"
import { Schema } from "effect"

const decode = Schema.decodeUnknownSync(Schema.toCodecJson(PersonSnapshot))

/** Returns auth's snapshot of a person, as it is on the wire. */
export const personSnapshot = (organizationId: string, id: string, version = 1, changes: object = {}) => ({
  organizationId,
  version,
  person: {
    id,
    email: "maria@example.com",
    firstName: "Maria",
    lastName: "Lopez",
    role: "USER",
    phoneNumber: "",
    isActive: true,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...changes
  },
  state: "",
  licensedStates: []
})

/** Returns the same, decoded. */
export const readPersonSnapshot = (...args: Parameters<typeof personSnapshot>): PersonSnapshot =>
  decode(personSnapshot(...args))
