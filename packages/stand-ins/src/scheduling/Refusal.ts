import type { Answer } from "../standIn/Answer.ts"

/** What is wrong with a parameter. */
interface Detail {
  readonly parameter: string
  readonly message: string
  readonly code?: string
}

/** An error of the provider's API. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(status: number, title: string, message: string, more: Partial<Pick<Answer, "headers">> & Details = {}) {
    super(message)
    const { details, headers } = more
    this.answer = { status, body: { title, message, ...(details && { details }) }, ...(headers && { headers }) }
  }
}

interface Details {
  readonly details?: ReadonlyArray<Detail>
}

/** Parameters that make no sense: 400. */
export const invalid = (...details: ReadonlyArray<Detail>): Refusal =>
  new Refusal(400, "Invalid Argument", "Some parameters are not valid.", { details })

/** Nothing is there: 404. */
export const notFound = (): Refusal => new Refusal(404, "Resource Not Found", "There is no such resource.")

/** What it is, it does not let happen: 403. */
export const denied = (message: string): Refusal => new Refusal(403, "Permission Denied", message)

/** Somebody has as many meetings of an event type as it allows: 400. */
export const limitReached = (): Refusal =>
  invalid({ parameter: "invitee.email", message: "This invitee has as many meetings of this event type as it allows." })

/** It is there already: 409. */
export const alreadyExists = (): Refusal => new Refusal(409, "Already Exists", "Hook with this url already exists")

/** Nobody knows who asks: 401. */
export const unauthenticated = (): Refusal =>
  new Refusal(401, "Unauthenticated", "The access token is missing or not valid.")

/** Something is wrong on the provider's side: 500. */
export const failed = (message = "Something is wrong on the provider's side."): Refusal =>
  new Refusal(500, "Internal Server Error", message)

/** Somebody has the slot: 409 for the very slot, 400 for one that overlaps it. The provider answers both. */
export const alreadyFilled = (isSame: boolean): Refusal => {
  const details = [{ parameter: "start_time", message: "This time is taken.", code: "already_filled" }]
  return isSame ? new Refusal(409, "Conflict", "This time is already_filled.", { details }) : invalid(...details)
}
