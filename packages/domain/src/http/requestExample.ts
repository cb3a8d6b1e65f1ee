interface Operation {
  readonly [field: string]: unknown
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> }
}

const shown =
  (examples: object) =>
  ({ requestBody, ...operation }: Operation): Record<string, unknown> => ({
    ...operation,
    requestBody: {
      ...requestBody,
      content: { "application/json": { ...requestBody?.content["application/json"], ...examples } }
    }
  })

/** For `OpenApi.Transform` of an endpoint: shows a body in the public document. */
export const requestExample = (example: unknown) => shown({ example })

/** The same for bodies of several kinds, by what each is. */
export const requestExamples = (examples: Readonly<Record<string, unknown>>) =>
  shown({ examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) })
