import { programIn } from "@care/build"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { restoreDrill } from "../drill/restore/restoreDrill.ts"
import { builtPrograms } from "./harness/builtPrograms.ts"

it.live(
  "a database that is lost under load is restored: no erased patient comes back, and repeated requests make nothing twice",
  () =>
    Effect.gen(function* () {
      const programs = yield* builtPrograms
      const sentences: Array<string> = []
      const problems = yield* restoreDrill(
        yield* temporaryFolder(),
        (sentence) => sentences.push(sentence),
        (name) => programIn(programs, name)
      )
      assert.deepStrictEqual(problems, [], sentences.join("\n"))
      for (const repaired of [
        /repaired: An event of Stripe had not come/,
        /1 repaired: An appointment had been called off at the provider/,
        /repaired: A change of an order at the pharmacy had not come/,
        /1 reported: The pharmacy has an order that is not known here/
      ]) {
        assert.isTrue(
          sentences.some((sentence) => repaired.test(sentence)),
          `${repaired}\n${sentences.join("\n")}`
        )
      }
    }).pipe(Effect.scoped),
  { timeout: 600_000 }
)
