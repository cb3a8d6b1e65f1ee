import type { StandInAnswer } from "../standIn/serveStandIn.ts"

/** A mistake in a parameter. */
interface Detail {
  readonly parameter: string
  readonly message: string
  readonly code?: string
}

/** An error of the provider's API. */
export class Refusal extends Error {
  readonly answer: StandInAnswer

  constructor(
    status: number,
    title: string,
    message: string,
    options: Partial<Pick<StandInAnswer, "headers">> & Details = {}
  ) {
    super(message)
    const { details, headers } = options
    this.answer = { status, body: { title, message, ...(details && { details }) }, ...(headers && { headers }) }
  }
}

interface Details {
  readonly details?: ReadonlyArray<Detail>
}

/** Refuses wrong parameters with 400. */
export const invalid = (...details: ReadonlyArray<Detail>): Refusal =>
  new Refusal(400, "Invalid Argument", "Some parameters are not valid.", { details })

/** Refuses an unknown resource with 404. */
export const notFound = (): Refusal => new Refusal(404, "Resource Not Found", "There is no such resource.")

/** Refuses what a state does not allow, with 403. */
export const denied = (message: string): Refusal => new Refusal(403, "Permission Denied", message)

/** Refuses an invitee with too many meetings of an event type, with 400. */
export const limitReached = (): Refusal =>
  invalid({ parameter: "invitee.email", message: "This invitee has as many meetings of this event type as it allows." })

/** Refuses a second subscription of a URL, with 409. */
export const alreadyExists = (): Refusal => new Refusal(409, "Already Exists", "Hook with this url already exists")

/** Refuses an unknown token with 401. */
export const unauthenticated = (): Refusal =>
  new Refusal(401, "Unauthenticated", "The access token is missing or not valid.")

/** An error on the provider's side: 500. */
export const failed = (message = "Something is wrong on the provider's side."): Refusal =>
  new Refusal(500, "Internal Server Error", message)

/** Refuses a slot that is taken: with 409, or with 400 when another slot overlaps it, as the provider does. */
export const alreadyFilled = (isSame: boolean): Refusal => {
  const details = [{ parameter: "start_time", message: "This time is taken.", code: "already_filled" }]
  return isSame ? new Refusal(409, "Conflict", "This time is already_filled.", { details }) : invalid(...details)
}
