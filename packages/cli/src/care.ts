import { Command } from "effect/cli"
import { audit } from "./commands/audit.ts"
import { careCase } from "./commands/case.ts"
import { bundle, form, product } from "./commands/catalogue.ts"
import { escalation } from "./commands/escalation.ts"
import { event } from "./commands/event.ts"
import { job } from "./commands/job.ts"
import { key } from "./commands/key.ts"
import { keys } from "./commands/keys.ts"
import { listen } from "./commands/listen.ts"
import { operator } from "./commands/operator.ts"
import { org } from "./commands/org.ts"
import { patient } from "./commands/patient.ts"
import { payment } from "./commands/payment.ts"
import { member, user } from "./commands/people.ts"
import { promo } from "./commands/promo.ts"
import { reconcile } from "./commands/reconcile.ts"
import { login, logout } from "./commands/session.ts"
import { Json } from "./output.ts"

/** The command line for operators, over the admin API, and for developers of partners. */
export const care = Command.make("care").pipe(
  Command.withDescription(
    "Operate the Partner Care API, and receive its events: operators, organizations, keys, people, patients, catalogues, promo codes, cases, payments, escalations, jobs, audit, webhooks"
  ),
  Command.withSubcommands([
    login,
    logout,
    operator,
    org,
    key,
    keys,
    member,
    user,
    patient,
    product,
    form,
    bundle,
    promo,
    careCase,
    payment,
    escalation,
    job,
    reconcile,
    audit,
    event,
    listen
  ]),
  Command.withGlobalFlags([Json])
)
