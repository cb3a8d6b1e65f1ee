import { routerConfig } from "@care/service-kit"
import { FindMyWay, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { allowedMethods, methodNotAllowed, pathUnknown } from "../answers.ts"
import { callbackPath, ownEndpoints, plainRoutes, sharedPaths } from "./routes.ts"

// The paths of the gateway that are in no contract.
const extraPaths = [
  "/health/live",
  "/health/ready",
  "/metrics",
  "/",
  "/openapi.json",
  "/openapi/partner.json",
  "/openapi/admin.json",
  "/llms.txt",
  "/docs",
  "/docs/*",
  "/console",
  "/console/*",
  "/status",
  "/status.json"
] as const

/** Makes the function that answers a request without a route: 405 when its path exists, 204 to OPTIONS, else 404. */
export const makeOtherMethods = () => {
  const methods = new Map<FindMyWay.PathInput, Set<string>>()
  const add = (path: string, method: string) => {
    const route: FindMyWay.PathInput = `/${path.slice(1)}`
    methods.set(route, (methods.get(route) ?? new Set()).add(method))
  }
  for (const { endpoint } of [...ownEndpoints, ...plainRoutes, ...sharedPaths]) add(endpoint.path, endpoint.method)
  for (const route of plainRoutes) if (route.isCallback) add(callbackPath(route), route.endpoint.method)
  for (const path of extraPaths) add(path, "GET")

  // All are registered under one method, because the method of the request does not matter here.
  const router = FindMyWay.make<Record<"options" | "others", HttpServerResponse.HttpServerResponse>>(routerConfig)
  for (const [path, allowed] of methods) {
    router.on("GET", path, { options: allowedMethods([...allowed]), others: methodNotAllowed(path, [...allowed]) })
  }
  return ({ method, url }: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse =>
    router.find("GET", url)?.handler[method === "OPTIONS" ? "options" : "others"] ?? pathUnknown(url)
}
