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

/** Shows the example of a body in the public document (`OpenApi.Transform`). */
export const requestExample = (example: unknown) => shown({ example })

/** Shows several examples, by their names. */
export const requestExamples = (examples: Readonly<Record<string, unknown>>) =>
  shown({ examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) })
