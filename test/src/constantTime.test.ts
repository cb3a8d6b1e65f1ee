import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")

const ofAudit = "hashes of the audit, which its operator has before them"

// Comparisons in constant time are `timingSafeEqual`, a library's check of a signature or a password, and a look-up by the hash of a random
// value. These files compare in another way, with the reason.
const plain: Readonly<Record<string, string>> = {
  "packages/once/src/bodyHash.ts": "a keyed hash of the caller's own body, which no answer reveals",
  "packages/audit/src/archive/makeAuditArchives.ts": ofAudit,
  "packages/cli/src/audit/archive/readArchive.ts": ofAudit,
  "packages/cli/src/commands/audit.ts": ofAudit,
  "packages/domain/src/audit/checkpoints.ts": ofAudit,
  "packages/domain/src/audit/makeLinkCheck.ts": ofAudit,
  "packages/service-kit/src/identity/IdentityTokens.ts": "how many tokens are kept",
  "services/payments/src/setup/PaymentSetups.ts": "the id of a payment method, which opens nothing"
}

const secret = String.raw`[\w.]*(?:secret|token|signature|(?<!as)signed|digest|hash|password|apiKey|pepper)\w*`
const text = String.raw`(?!undefined|null|true|false|""|"|'|\d|typeof)[\w.$\[(]`
const comparison = new RegExp(String.raw`\b${secret}\s*[!=]==?\s*${text}|${text}[\w.\])]*\s*[!=]==?\s*${secret}`, "i")

/** Returns the lines of a text that compare a secret with something other than a literal. */
const comparisonsIn = (source: string): ReadonlyArray<string> =>
  source
    .split("\n")
    .filter((line) => /[!=]==/.test(line) && !/^\s*(\/\/|\*)/.test(line) && !/\$\{/.test(line) && comparison.test(line))

it("secrets are compared in constant time everywhere", () => {
  assert.isNotEmpty(comparisonsIn("if (given.signature === expected) return"))
  assert.isNotEmpty(comparisonsIn("const isRight = expected !== tokenHash"))
  assert.isEmpty(comparisonsIn('if (token === undefined || password !== "") return'))
  const sources = ["services", "packages"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name, "src")))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file))
    )
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(file))
  assert.isAbove(sources.length, 400)
  const found = sources.filter((file) => comparisonsIn(readFileSync(join(root, file), "utf8")).length > 0)
  assert.sameMembers(
    found.filter((file) => !/^packages\/(sandbox|stand-ins)/.test(file)),
    Object.keys(plain)
  )
})

it("signatures, tokens and codes are checked only in the listed places", () => {
  const uses = [
    "services/auth/src/signIn/codes/OneTimeCodes.ts",
    "services/cases/src/documents/signedLinks.ts",
    "services/gateway/src/keys/makeTokenCheck.ts",
    "services/scheduling/src/bookings/providerEvents/hasSigned.ts",
    "packages/service-kit/src/identity/IdentityTokens.ts"
  ]
  for (const file of uses) assert.match(readFileSync(join(root, file), "utf8"), /timingSafeEqual\(/, file)
})
