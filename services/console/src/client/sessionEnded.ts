type Listener = () => void

let listener: Listener = () => {}

/** Sets what happens when a request was refused because the session has ended. */
export const onSessionEnded = (next: Listener): void => {
  listener = next
}

export const sessionEnded: Listener = () => listener()
