import { careModeHeader } from "@care/domain/admin"

const key = "care-mode"

/** Returns whether this tab works in the sandbox of the person's organization. */
export const isInTestMode = (): boolean => sessionStorage.getItem(key) === "test"

/** Changes the mode of this tab, and opens the start anew, so that nothing of the other mode is shown. */
export const changeMode = (isTest: boolean): void => {
  if (isTest) sessionStorage.setItem(key, "test")
  else sessionStorage.removeItem(key)
  location.assign("/console")
}

/** The headers of a request that say in which mode it works. */
export const modeHeaders = (): Readonly<Record<string, string>> => (isInTestMode() ? { [careModeHeader]: "test" } : {})
