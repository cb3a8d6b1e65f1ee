import { careModeHeader } from "@care/domain/admin"
import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router"

const key = "care-mode"

// In test mode each address says so: a link takes nothing else along into another tab.
const parameter = "mode"
if (new URLSearchParams(location.search).get(parameter) === "test") sessionStorage.setItem(key, "test")

/** Returns whether this tab works in the sandbox of the person's organization. */
export const isInTestMode = (): boolean => sessionStorage.getItem(key) === "test"

/** Changes the mode of this tab, and opens the start anew, so that nothing of the other mode is shown. */
export const changeMode = (isTest: boolean): void => {
  sessionStorage.removeItem(key)
  location.assign(isTest ? `/console?${parameter}=test` : "/console")
}

/** Reads and writes the search parameters of addresses, for the router. Screens see none of the mode. */
export const searchInMode = {
  parseSearch: (text: string) => {
    const { [parameter]: _, ...search }: Readonly<Record<string, unknown>> = defaultParseSearch(text)
    return search
  },
  stringifySearch: (search: Readonly<Record<string, unknown>>) =>
    defaultStringifySearch(isInTestMode() ? { ...search, [parameter]: "test" } : search)
}

/** The headers of a request that say in which mode it works. */
export const modeHeaders = (): Readonly<Record<string, string>> => (isInTestMode() ? { [careModeHeader]: "test" } : {})
