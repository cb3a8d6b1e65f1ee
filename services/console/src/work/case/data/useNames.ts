import type { AdminCase, TimelineEntry } from "@care/domain/cases"
import type { Actor } from "@care/domain/http"
import { useQuery } from "@tanstack/react-query"
import { may } from "../../../client/may.ts"
import { useSession } from "../../../session/useSession.ts"
import { staffQuery } from "./caseQueries.ts"

interface Named {
  readonly firstName: string
  readonly lastName: string
}

export const fullName = ({ firstName, lastName }: Named): string => `${firstName} ${lastName}`

const actors: Readonly<Record<Actor["type"], string>> = {
  API_KEY: "The partner",
  USER: "Another person",
  PATIENT: "The patient",
  OPERATOR: "A machine of the operator",
  JOB: "Automatic",
  SERVICE: "Automatic",
  PHARMACY: "The pharmacy",
  STRIPE: "The payment gateway",
  SCHEDULING: "The scheduling provider"
}

export interface Names {
  /** The name of a person by id, if they are known. */
  readonly personOf: (id: string | undefined) => string | undefined
  /** Returns who made an entry of the timeline: the author of what was written, and who wrote it in their name. */
  readonly authorOf: (entry: TimelineEntry) => string
}

/** Returns the names of the people of a case. */
export const useNames = ({ assignedBy, assignedTo, comments, notes, organizationId, submitter }: AdminCase): Names => {
  const { user } = useSession()
  const staff = useQuery({ ...staffQuery(organizationId), enabled: may(user.role, "members", "list") }).data ?? []
  const authors = [...comments, ...notes].map(({ author }) => author)
  const people = [...staff, ...authors, submitter, assignedTo, assignedBy].filter((person) => person !== null)
  const names = new Map<string, string>(people.map((person) => [person.id, fullName(person)]))
  names.set(user.id, "You")
  const personOf = (id: string | undefined) => (id === undefined ? undefined : names.get(id))
  const authorOf = ({ actor, comment, decision }: TimelineEntry) => {
    const person = personOf(actor.id ?? undefined)
    const author = comment?.author ?? decision?.addedBy
    if (person !== undefined || author === undefined) return person ?? actors[actor.type]
    return `${personOf(comment?.author.id) ?? fullName(author)} (sent by: ${actors[actor.type]})`
  }
  return { personOf, authorOf }
}
