import { Predicate, Schema } from "effect"

/** The status and the content type that a contract gives an answer; `usual` is the status of one that has none. */
export const answeredAs = (schema: Schema.Top, usual: number) => {
  const annotations = Schema.resolveAnnotations(schema)
  const encoding = annotations?.["~httpApiEncoding"]
  const contentType =
    Predicate.hasProperty(encoding, "contentType") && Predicate.isString(encoding.contentType)
      ? encoding.contentType
      : "application/json"
  return { status: annotations?.httpApiStatus ?? usual, contentType }
}
