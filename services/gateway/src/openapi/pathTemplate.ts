/** Returns a contract's path (`/api/v1/cases/:caseId`) as an OpenAPI path (`/api/v1/cases/{caseId}`). */
export const pathTemplate = (path: string): string => path.replace(/:([A-Za-z]+)/g, "{$1}")
