import { assert, it } from "@effect/vitest"
import { operatorTargetOf } from "./operatorTargets.ts"
import { plainRoutes } from "./routes.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"

const operatorRoutes = plainRoutes.filter(({ caller }) => caller === "operator")

it("every request of an operator has a way to its cell", () => {
  assert.isAbove(operatorRoutes.length, 30)
  const lost = operatorRoutes.filter(({ endpoint }) => operatorTargetOf(endpoint, endpoint.path) === undefined)
  assert.deepStrictEqual(
    lost.map(({ endpoint }) => endpoint.path),
    []
  )
})

const targetOf = (method: string, path: string, target: string) => {
  const route = operatorRoutes.find(({ endpoint }) => endpoint.method === method && endpoint.path === path)
  return operatorTargetOf(route?.endpoint ?? assert.fail(path), target)
}

it("an id in the path counts, or else one in a filter", () => {
  assert.deepStrictEqual(
    [
      targetOf("POST", "/admin/v1/cases/:caseId/assign", `/admin/v1/cases/${id}/assign`),
      targetOf(
        "GET",
        "/admin/v1/organizations/:organizationId/api-keys",
        `/admin/v1/organizations/${id}/api-keys?limit=2`
      ),
      targetOf("GET", "/admin/v1/cases", `/admin/v1/cases?limit=1&organizationId=${id}`),
      targetOf("GET", "/admin/v1/payments", `/admin/v1/payments?caseId=${id}`),
      targetOf("GET", "/admin/v1/escalations", `/admin/v1/escalations?organizationId=${id}`),
      targetOf("GET", "/admin/v1/dashboard", `/admin/v1/dashboard?organizationId=${id}`),
      targetOf(
        "GET",
        "/admin/v1/webhook-endpoints/:endpointId/deliveries",
        `/admin/v1/webhook-endpoints/${id}/deliveries?caseId=x`
      ),
      targetOf("POST", "/admin/v1/cases/assign", "/admin/v1/cases/assign")
    ],
    [
      { by: "id", name: "caseId", id },
      { by: "id", name: "organizationId", id },
      { by: "id", name: "organizationId", id },
      { by: "id", name: "caseId", id },
      { by: "id", name: "organizationId", id },
      { by: "id", name: "organizationId", id },
      { by: "id", name: "endpointId", id },
      { by: "organizationInBody" }
    ]
  )
})

it("a list without such a filter is one of all cells", () => {
  assert.deepStrictEqual(targetOf("GET", "/admin/v1/cases", "/admin/v1/cases"), { by: "list", isOldestFirst: false })
  assert.deepStrictEqual(targetOf("GET", "/admin/v1/organizations", "/admin/v1/organizations?limit=1"), {
    by: "list",
    isOldestFirst: true
  })
  assert.deepStrictEqual(targetOf("GET", "/admin/v1/cases", "/admin/v1/cases?order=oldest"), {
    by: "list",
    isOldestFirst: true
  })
})
