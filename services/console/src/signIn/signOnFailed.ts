import type { SignOnFailure } from "@care/domain/auth"
import { RequestFailed } from "../client/RequestFailed.ts"

const texts: Readonly<Record<SignOnFailure, string>> = {
  expired: "It took too long, or was begun in another browser. Begin again.",
  provider:
    "The provider of your organization refused it, or did not answer as it should. Try again, or ask an administrator.",
  email: "The provider of your organization named no verified email of its domains. Ask an administrator.",
  member: "Nobody of your organization has the email that its provider named. Ask an administrator to add you."
}

/** Tells whether a value says why a single sign-on failed. */
export const isSignOnFailure = (value: unknown): value is SignOnFailure =>
  typeof value === "string" && Object.hasOwn(texts, value)

/** Says in words that the session of a person is over. */
export const sessionHasEnded = new RequestFailed({
  title: "Your session has ended",
  text: "It was ended elsewhere, or too much time has passed. What you typed about a case is kept. Sign in to go on."
})

/** Says in words why a single sign-on failed. */
export const signOnFailed = (why: SignOnFailure): RequestFailed =>
  new RequestFailed({ title: "Not signed in", text: texts[why] })
