import type { LoadRequest } from "./load.ts"

/** Makes requests that each read a random one of some cases. */
export const readCase = (key: string, caseIds: ReadonlyArray<string>) => (): LoadRequest => {
  const caseId = caseIds[Math.floor(Math.random() * caseIds.length)]
  return { method: "GET", path: `/api/v1/customer-case-detail?caseId=${caseId}`, headers: { "cv-api-key": key } }
}
