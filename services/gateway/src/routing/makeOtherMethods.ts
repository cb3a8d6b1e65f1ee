import { routerConfig } from "@care/service-kit"
import { FindMyWay, type HttpServerResponse } from "effect/http"
import { methodNotAllowed, pathUnknown } from "../answers.ts"
import { ownEndpoints, plainRoutes, sharedPaths } from "./routes.ts"

// What the gateway answers beside its contracts.
const beside = ["/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"] as const

/**
 * Says what is answered to a request that no route takes: 405 when its path is one that callers may use, whatever its method
 * is, 404 when it is not.
 */
export const makeOtherMethods = () => {
  const methods = new Map<FindMyWay.PathInput, Set<string>>()
  const add = (path: string, method: string) => {
    const route: FindMyWay.PathInput = `/${path.slice(1)}`
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  for (const { endpoint } of [...ownEndpoints, ...plainRoutes, ...sharedPaths]) add(endpoint.path, endpoint.method)
  for (const path of beside) add(path, "GET")

  // Under one method, because all of them find the same here.
  const known = FindMyWay.make<HttpServerResponse.HttpServerResponse>(routerConfig)
  for (const [path, allowed] of methods) known.on("GET", path, methodNotAllowed(path, [...allowed]))
  return (target: string): HttpServerResponse.HttpServerResponse =>
    known.find("GET", target)?.handler ?? pathUnknown(target)
}
