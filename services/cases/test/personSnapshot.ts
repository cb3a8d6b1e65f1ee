import { PersonSnapshot } from "@care/domain/auth"
import { Schema } from "effect"

const decode = Schema.decodeUnknownSync(Schema.toCodecJson(PersonSnapshot))

/** What auth tells of a person, as it is on the wire. */
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

/** The same, as it is read. */
export const readPersonSnapshot = (...given: Parameters<typeof personSnapshot>): PersonSnapshot =>
  decode(personSnapshot(...given))
