import { RequestFailed } from "./RequestFailed.ts"

/**
 * Where requests meet the person who has to prove their presence: a request that needs a passkey waits until the dialog of the shell has
 * used one.
 */
type Ask = () => Promise<boolean>

let ask: Ask = () => Promise.resolve(false)

/** Sets the function that asks the person for a passkey. It tells whether they used one. */
export const askForPasskeyBy = (next: Ask): void => {
  ask = next
}

/** Asks the person for a passkey. It rejects when they use none. */
export const askForPasskey = async (): Promise<true> => {
  if (await ask()) return true
  throw new RequestFailed({
    title: "Not done",
    text: "Nothing was changed or sent: it needs your passkey, which was not used. Try again when you have it."
  })
}
