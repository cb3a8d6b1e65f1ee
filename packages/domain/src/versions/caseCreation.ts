import { Predicate } from "effect"
import type { VersionChange } from "./VersionChange.ts"

const operation = "POST /api/v1/cases"

/** A case that is refused with 400 has a general `message` beside `error`. */
export const generalMessage: VersionChange = {
  operation,
  says: "The 400 has a general `message` (`Invalid request`) beside `error`.",
  answers: { 400: ({ message: _, ...body }) => body }
}

/** The patient's `dateOfBirth` became `dob`. */
export const renamedDob: VersionChange = {
  operation,
  says: "The patient's `user.dateOfBirth` is called `user.dob`. Errors name it so, in every version.",
  request: (body) => {
    const { user } = body
    if (!Predicate.isObject(user) || !("dateOfBirth" in user) || "dob" in user) return body
    const { dateOfBirth, ...others } = user
    return { ...body, user: { ...others, dob: dateOfBirth } }
  }
}
