import { HttpServerResponse } from "effect/http"

const failure = (status: number, error: string) =>
  HttpServerResponse.jsonUnsafe({ status, success: false, error }, { status })

/** 413: the body is larger than 20 MiB. */
export const bodyTooLarge = failure(413, "Request body is larger than 20 MiB")

/** 405: the path exists, the method does not. */
export const methodNotAllowed = (allowed: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(failure(405, "Method not allowed"), "allow", allowed.join(", "))
