import type { ServerResponse } from "node:http"
import type { Answer } from "./Answer.ts"

/** Answers a request with JSON. */
export const sendAnswer = (response: ServerResponse, { body, headers, status }: Answer): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
