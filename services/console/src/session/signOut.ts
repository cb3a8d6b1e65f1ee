import { send } from "../client/send.ts"
import { sessionEnded } from "../client/sessionEnded.ts"
import { staffSession } from "./session.ts"

// The settings of a browser stay. All else that it keeps is of the person.
const settings: ReadonlyArray<string> = ["care-theme", "care-keys"]

const forget = () => {
  sessionStorage.clear()
  for (const key of Object.keys(localStorage)) if (!settings.includes(key)) localStorage.removeItem(key)
  sessionEnded("SIGNED_OUT")
}

const tabs = new BroadcastChannel("care-session")
tabs.addEventListener("message", forget)

/** Ends the session in all tabs of this browser, which keep nothing of the person. */
export const signOut = async (): Promise<void> => {
  await send(staffSession.signOut())
  tabs.postMessage("signed out")
  forget()
}
