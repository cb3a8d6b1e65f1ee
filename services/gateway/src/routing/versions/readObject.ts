import type { VersionedBody } from "@care/domain/versions"
import { type Option, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Returns the JSON object that bytes contain, if they do. */
export const readObject = (bytes: Buffer): Option.Option<VersionedBody> => decode(bytes.toString("utf8"))

/** Returns the name of an operation in the list of versions. */
export const operationOf = ({ method, path }: HttpApiEndpoint.Top): string => `${method} ${path}`
