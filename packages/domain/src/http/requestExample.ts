interface Operation {
  readonly [field: string]: unknown
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> }
}

/** For `OpenApi.Transform` of an endpoint: shows a body in the public document. */
export const requestExample =
  (example: unknown) =>
  ({ requestBody, ...operation }: Operation): Record<string, unknown> => ({
    ...operation,
    requestBody: {
      ...requestBody,
      content: { "application/json": { ...requestBody?.content["application/json"], example } }
    }
  })
