/** `EXPIRED`: a request was refused for it. `SIGNED_OUT`: the person ended it, here or in another tab. */
type Ending = "EXPIRED" | "SIGNED_OUT"
type Listener = (ending: Ending) => void

let listener: Listener = () => {}

/** Sets what happens when the session has ended. */
export const onSessionEnded = (next: Listener): void => {
  listener = next
}

export const sessionEnded: Listener = (ending) => listener(ending)
