import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")

const foldersIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && entry.name !== "dist")
    .map(({ name }) => join(folder, name))

const packages = [...foldersIn("packages"), ...foldersIn("services"), "test"]

const filesIn = (folder: string): ReadonlyArray<string> => [
  ...readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ name }) => join(folder, name)),
  ...foldersIn(folder).flatMap(filesIn)
]

const files = new Set(packages.flatMap(filesIn))

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

/** The file of each package entry, such as `@care/domain/http`, and the folder of each package name. */
const entries = new Map<string, string>()
const folders = new Map<string, string>()
for (const folder of packages) {
  const { exports = {}, name } = manifestOf(folder)
  folders.set(name, folder)
  for (const [entry, file] of Object.entries(exports)) entries.set(join(name, entry), join(folder, String(file)))
}

const importsIn = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g), ([, specifier = ""]) => specifier)

const specifiers = new Map([...files].map((file) => [file, importsIn(readFileSync(join(root, file), "utf8"))]))

/** Returns the files that a file imports. */
const importedBy = (file: string): ReadonlyArray<string> =>
  (specifiers.get(file) ?? []).flatMap((specifier) => {
    const target = specifier.startsWith(".") ? join(dirname(file), specifier) : entries.get(specifier)
    return target !== undefined && files.has(target) ? [target] : []
  })

const graph = new Map([...files].map((file) => [file, importedBy(file)]))

/** Returns the files of circles, and those between two circles: a file that imports no other, or that no other imports, is in none. */
const filesInCircles = (edges: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const remaining = new Map([...edges].map(([file, targets]) => [file, new Set(targets)]))
  for (let size = -1; size !== remaining.size; ) {
    size = remaining.size
    const imported = new Set([...remaining.values()].flatMap((targets) => [...targets]))
    for (const [file, targets] of remaining) {
      for (const target of targets) if (!remaining.has(target)) targets.delete(target)
      if (targets.size === 0 || !imported.has(file)) remaining.delete(file)
    }
  }
  return [...remaining.keys()].sort()
}

it("no file imports itself, directly or through others, types included", () => {
  assert.deepStrictEqual(
    filesInCircles(
      new Map([
        ["a", ["b", "d"]],
        ["b", ["c"]],
        ["c", ["b"]],
        ["d", []]
      ])
    ),
    ["b", "c"]
  )
  assert.isAbove(
    [...graph.values()].reduce((sum, targets) => sum + targets.length, 0),
    4000
  )
  assert.deepStrictEqual(filesInCircles(graph), [])
})

// The packages from bottom to top. A package imports only those in the lines before its own.
const layers = [
  ["packages/client"],
  ["packages/domain"],
  ["packages/docs"],
  ["packages/scenarios"],
  ["packages/service-kit"],
  ["packages/phi"],
  ["packages/audit"],
  ["packages/jobs"],
  ["packages/once"],
  ["packages/replicas"],
  ["packages/webhooks"],
  ["packages/foreign-calls"],
  ["packages/stand-ins"],
  ["packages/service"],
  foldersIn("services"),
  ["packages/sandbox"],
  ["packages/cli"],
  ["packages/migrate"],
  ["packages/build"],
  ["test"]
]

const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder))

const packageOf = (file: string): string => packages.find((folder) => file.startsWith(`${folder}/`)) ?? ""

/** Returns the packages of the repository that a file imports. */
const packagesImportedBy = (file: string): ReadonlyArray<string> =>
  (specifiers.get(file) ?? []).flatMap((specifier) =>
    specifier.startsWith(".")
      ? packageOf(join(dirname(file), specifier))
      : (folders.get(specifier.split("/").slice(0, 2).join("/")) ?? [])
  )

const isAbove = (target: string, folder: string): boolean => target !== folder && layerOf(target) >= layerOf(folder)

it("no package imports another of its own layer or of a layer above, nor names one in its package.json", () => {
  assert.deepStrictEqual(
    packages.filter((folder) => layerOf(folder) < 0),
    []
  )
  const importing = [...files].flatMap((file) =>
    packagesImportedBy(file)
      .filter((target) => isAbove(target, packageOf(file)))
      .map((target) => `${file} -> ${target}`)
  )
  const naming = packages.flatMap((folder) => {
    const { dependencies, devDependencies } = manifestOf(folder)
    return Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => isAbove(folders.get(name) ?? folder, folder))
      .map((name) => `${folder} -> ${name}`)
  })
  assert.deepStrictEqual([...importing, ...naming], [])
})

/** Returns the room of a file: its folder directly in the service's `src`. */
const roomOf = (file: string): string | undefined => /^services\/[^/]+\/src\/[^/]+(?=\/)/.exec(file)?.[0]

// The console is a program of browsers, which load each screen by itself: an index would make them load whole rooms.
const productive = [...files].filter(
  (file) =>
    file.startsWith("services/") && !/^services\/console\/|\.test\.ts$|\/testing\/|^services\/[^/]+\/test\//.test(file)
)

it("a room of a service is imported through its index alone", () => {
  const across = productive.flatMap((file) =>
    importedBy(file)
      .filter((target) => roomOf(target) !== undefined && roomOf(target) !== roomOf(file))
      .map((target) => ({ file, target }))
  )
  assert.isAbove(across.length, 200)
  assert.deepStrictEqual(
    across.filter(({ target }) => target !== `${roomOf(target)}/index.ts`),
    []
  )
})

// The exports of repositories that rooms make public, beside schemas of rows (`...Row`), which other rooms use in their own statements.
const shownOfRepos: Readonly<Record<string, string>> = {
  caseProductColumns: "columns that reading selects beside those of the case",
  caseProductKey: "columns that reading selects beside those of the case",
  decisionOf: "how reading shows a row of decisions",
  EmailMove: "the type of an email that moves to another user",
  FoundUser: "the type of a user that is found by email",
  documentJson: "an expression that reading selects, so that a case is read by one statement",
  filesOfComment: "an expression that reading selects, so that a case is read by one statement",
  upsertPerson: "the statement that creates a case keeps the patient in the same transaction",
  makeDeletedCustomersRepo: "the patient's erasure, references and setup change customers in their own transactions",
  makePatientCustomersRepo: "the patient's erasure, references and setup change customers in their own transactions",
  makeSavedMethodsRepo: "the patient's erasure forgets the saved methods in its transaction",
  makeMembersRepo: "operators are members, whose sign-in is changed in one transaction with its rows",
  makeUsersRepo: "the table of users has one owner, and every room of auth asks it in its own transaction",
  insertActivity: "the statement that creates a case notes it in the same transaction",
  personJson: "an expression that reading selects, so that a case is read by one statement",
  ProductOffer: "the type of a product with its price, which intake computes discounts of",
  SavedMethod: "the type of a saved method",
  StoredComment: "the schema of a comment that reading decodes",
  StoredForm: "the type of a form, whose questions intake compares with answers"
}

it("a room exports nothing from its repositories except the listed names", () => {
  const documented = productive
    .filter((file) => file === `${roomOf(file)}/index.ts`)
    .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/\{([^}]*)\} from "[^"]*Repo\.ts"/g)])
    .flatMap(([, names = ""]) => names.split(",").map((name) => name.replace("type ", "").trim()))
    .filter((name) => !name.endsWith("Row"))
  assert.sameMembers(documented, Object.keys(shownOfRepos))
})

it("only files in folders named fast check whether a piece of speed is on", () => {
  const asking = [...files].filter((file) => /\bisFast\b/.test(readFileSync(join(root, file), "utf8")))
  assert.isNotEmpty(asking)
  assert.deepStrictEqual(
    asking.filter((file) => !file.includes("/fast/") && file !== "test/src/structure.test.ts"),
    []
  )
})

// What PostgreSQL keeps for a session is another's behind a pooler in transaction mode.
const ofSessions: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bpg_(try_)?advisory_(un)?lock(_shared|_all)?\s*\(/i, "a lock until the session ends"],
  [/`\s*(SET(?! LOCAL\b)|RESET|DISCARD|LISTEN|UNLISTEN|NOTIFY|PREPARE|DEALLOCATE|DECLARE)\s/, "a state of the session"],
  [/\bset_config\([^`]*?,\s*false\s*\)/i, "a setting until the session ends"],
  [/\bCREATE\s+TEMP/i, "a table of the session"],
  [/\bstartupParameters:|\.listen\(\s*"|\bpg_notify\(/, "a setting of the session, or a listener"]
]

// Migrations and moves have a session of PostgreSQL itself, and a pool has one if there is no pooler.
const mayHaveSessions = [
  "packages/cli/src/move/cellDatabases.ts: a setting of the session, or a listener",
  "packages/cli/src/move/checkMove.ts: a lock until the session ends",
  "packages/migrate/src/runMigrate.ts: a state of the session",
  "packages/service-kit/src/sql/layerDatabase.ts: a setting of the session, or a listener",
  "packages/service-kit/src/sql/migrate.ts: a setting of the session, or a listener"
]

it("no statement of a service needs a session, which a pooler in transaction mode does not give it", () => {
  const isOfService = (file: string) =>
    /^(packages|services)\/.*\/src\//.test(file) && !/\.test\.ts$|\/testing\/|^packages\/sandbox/.test(file)
  const found = [...files].filter(isOfService).flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8")
    return ofSessions.flatMap(([pattern, reason]) => (pattern.test(source) ? [`${file}: ${reason}`] : []))
  })
  assert.deepStrictEqual(found.sort(), mayHaveSessions)
})

// What reads the machine's time although a sandbox organization may have another: a folder or a file, and why.
const onMachineTime: Readonly<Record<string, string>> = {
  "auth/src/erasure": "a restored backup compares erasures with its own time",
  "auth/src/keys": "the gateway checks keys of all organizations by its own clock",
  "auth/src/organizations": "an organization is a row of the platform",
  "auth/src/requestLogs": "the log of requests tells when they came",
  "auth/src/signIn/codes/OneTimeCodes.ts": "staff sign in by the real time",
  "auth/src/staff": "staff sign in to the platform",
  "cases/src/case/payments/PaymentPreparations.ts": "how long a request takes",
  "cases/src/catalogue/products/Products.ts": "a cache of names",
  "cases/src/documents/DocumentLinks.ts": "a link opens a file to whoever has it: for 15 minutes that nobody moves",
  "cases/src/orders/reconciliation": "a sweep compares with the pharmacy's clock",
  "cases/src/records/patients/InactivePatients.ts": "a restored backup compares erasures with its own time",
  "cases/src/records/viewers": "who looks at a case at the moment",
  "cases/src/simulations/makeOrderSteps.ts": "what the pharmacy reports has its time",
  "cases/src/webhooks/deliveries": "due times are the machine's, and receivers check signatures by their own clocks",
  "cases/src/webhooks/endpoints":
    "changes of endpoints are compared with attempts, and a clock brings the end of a secret forward",
  "cases/src/webhooks/events/EventRelay.ts": "events are in the partition of their month",
  "cases/src/webhooks/events/eventMonths.ts": "months of partitions",
  "payments/src/casePayments/references/References.ts": "Stripe's times are compared",
  "payments/src/events": "operators see when events of Stripe came, of all organizations in one list",
  "payments/src/payments/operations/makePaymentGauges.ts": "a gauge",
  "payments/src/reconciliation": "a sweep compares with Stripe's clock",
  "payments/src/stripe": "Stripe's times are compared",
  "scheduling/src/bookings/Bookings.ts": "how long calls of the provider take",
  "scheduling/src/bookings/NewAppointments.ts": "the provider's meetings are compared with the time of the call",
  "scheduling/src/bookings/providerEvents": "a signature of the provider has its time",
  "scheduling/src/reconciliation": "a sweep compares with the provider's clock"
}

const readsMachineTime = (source: string): boolean =>
  /\b(DateTime\.now|Clock\.(current|Clock\b)|nowUnsafe\b|nowInCurrentZone\b)|\bnew Date\(\)|\b(now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bCURRENT_(TIMESTAMP|DATE|TIME)\b/.test(
    source
  )

it("rules read the time of the organization's clock, not the machine's, except the listed ones", () => {
  assert.isTrue(readsMachineTime("const at = yield* DateTime.nowAsDate"))
  assert.isTrue(readsMachineTime("sql`DELETE FROM codes WHERE expires_at < now()`"))
  assert.isFalse(readsMachineTime("const at = yield* Time.nowAsDate"))
  const places = Object.keys(onMachineTime)
  const placeOf = (file: string) =>
    places.find((place) => file === `services/${place}` || file.startsWith(`services/${place}/`))
  const reading = productive.filter(
    (file) =>
      !file.startsWith("services/gateway/") &&
      /^services\/[^/]+\/src\//.test(file) &&
      readsMachineTime(readFileSync(join(root, file), "utf8"))
  )
  assert.deepStrictEqual(
    reading.filter((file) => placeOf(file) === undefined),
    []
  )
  const used = new Set(reading.map(placeOf))
  assert.deepStrictEqual(
    places.filter((place) => !used.has(place)),
    []
  )
})

it("a service has at most ten rooms beside each other", () => {
  const rooms = Map.groupBy(new Set(productive.flatMap((file) => roomOf(file) ?? [])), (room) => dirname(room))
  assert.strictEqual(rooms.size, foldersIn("services").length - 1)
  const crowded = [...rooms].filter(([, { length }]) => length > 10).map(([folder, { length }]) => [folder, length])
  assert.deepStrictEqual(crowded, [])
})

/** The names that several files may export, because they mean the same in each. */
const sharedNames: Readonly<Record<string, string>> = {
  make: "`Job.make` and `Replication.make` are called with the name of their module",
  Directory: "each service's lookups in auth's directory",
  ReconciliationFeature: "each service's reconciliation with its third party",
  layerOwnPatients: "each service's patients, for exports and erasures",
  makeForgetPatient: "what a service does beside the destruction of a patient's key",
  keptTables: "each service's tables that a reset of a sandbox keeps",
  makeSources: "what a service's reconciliation compares",
  patientTables: "each service's tables with data of patients",
  sealedTables: "each service's columns that `PHI_KEY` itself seals",
  // The Stripe stand-in and the scheduling stand-in have the same parts.
  Call: "a call of a stand-in",
  Ledger: "what a stand-in knows",
  ReceivedRequest: "a request to a stand-in",
  Refusal: "an error answer of a stand-in",
  Route: "an operation of a stand-in",
  control: "the control routes of a stand-in",
  email: "a parameter of a stand-in",
  emit: "sends an event of a stand-in",
  failed: "the 500 of a stand-in",
  invalid: "the 400 of a stand-in",
  listPage: "a page of a list of a stand-in",
  optional: "a parameter of a stand-in that may be absent",
  page: "the parameters of lists of a stand-in",
  readParams: "decodes the parameters of a stand-in",
  route: "makes an operation of a stand-in"
}

it("a name that two files export means the same in both", () => {
  const exporting = new Map<string, Set<string>>()
  const sources = [...files].filter(
    // The console is a program of browsers, with screens named after what they show. The client has the names of the public document.
    (file) =>
      !/^services\/console\/|^packages\/client\/|^test\/|\.test\.ts$|\/testing\/|\/test\/|\/migrations\/|\/main\.ts$/.test(
        file
      )
  )
  for (const file of sources) {
    const declarations = readFileSync(join(root, file), "utf8").matchAll(
      /^export (?:declare )?(?:abstract )?(?:const|class|interface|type|function) (\w+)/gm
    )
    for (const [, name = ""] of declarations) exporting.set(name, (exporting.get(name) ?? new Set()).add(file))
  }
  const shared = [...exporting].filter(([, from]) => from.size > 1)
  assert.sameMembers(
    shared.map(([name]) => name),
    Object.keys(sharedNames),
    shared.map(([name, from]) => `${name}: ${[...from].join(", ")}`).join("\n")
  )
})
