import { RequestFailed } from "../client/RequestFailed.ts"

/** Says in words why the browser used or made no passkey. */
export const passkeyFailed = (error: unknown): never => {
  const name = error instanceof Error ? error.name : ""
  const text =
    name === "NotAllowedError"
      ? "The passkey was not used: it was cancelled, took too long, or this device has none for you. Try again, or take the device or security key that has it."
      : name === "InvalidStateError"
        ? "This device has a passkey of yours already."
        : "This browser could not use a passkey. Take another browser or device."
  throw new RequestFailed({ title: "No passkey", text })
}
