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

export const askForPasskey: Ask = () => ask()
