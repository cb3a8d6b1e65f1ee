import { Context, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminClient, decodePage, listAll, type Resource } from "../AdminClient.ts"
import { exitCodes, wrongUsage } from "../CommandFailed.ts"
import { contractOf } from "../callOperation.ts"
import { confirmed, yes } from "../confirmation.ts"
import { argument, idArgument, optionalText } from "../inputs.ts"
import { printDone, printJson, printPage, printResource } from "../output.ts"
import { writeWhole } from "../writeWhole.ts"
import { type DescribedOperation, describeOperation } from "./describeOperation.ts"
import { exampleOf } from "./exampleOf.ts"
import type { Operation } from "./Operation.ts"
import { argumentOf, flagOf, wordsOf } from "./parameters.ts"
import { labelIn, readRequest } from "./readRequest.ts"

const record = <A, B>(
  items: ReadonlyArray<A>,
  entryOf: (item: A) => readonly [string, B]
): Readonly<Record<string, B>> => Object.fromEntries(items.map(entryOf))

// An id alone is `id`, several have names.
const idsOf = ({ params }: DescribedOperation) =>
  record(params, (name) => {
    const noun = wordsOf(name.replace(/Id$/, ""))
    return [name, idArgument(params.length === 1 ? "id" : noun.replaceAll(" ", "-"), `Id of the ${noun}`)]
  })

const inputOf = (operation: DescribedOperation) => ({
  params: idsOf(operation),
  fields: record(operation.fields, (field) => [
    field.name,
    field.isArgument ? argumentOf(field, field.flag) : flagOf(field, field.flag)
  ]),
  removals: record(
    operation.fields.filter(({ removal }) => removal !== undefined),
    ({ flag, name, removal = "" }) => [
      name,
      Flag.Boolean(removal).pipe(Flag.withDescription(`Remove what --${flag} sets`), Flag.withDefault(false))
    ]
  ),
  ...(operation.file !== undefined && {
    file: argument("file", operation.file === "body" ? "JSON file with the body of the request" : "The file to attach")
  }),
  ...(operation.takesBody && {
    body: optionalText("body", "JSON file with fields of the request, in place of flags")
  }),
  ...(operation.isFile && {
    output: Flag.String("output").pipe(Flag.withDescription("The file to create, readable only by you"))
  }),
  ...(operation.confirmation !== undefined && { yes })
})

const show = Effect.fnUntraced(function* (operation: DescribedOperation, answer: Resource, id: string | undefined) {
  const { columns, done = "Done.", isJson, note } = operation
  if (Object.keys(answer).length === 0) return yield* printDone(id === undefined ? {} : { id }, done)
  if (columns !== undefined) return yield* printPage(yield* decodePage(answer), columns)
  yield* isJson ? printJson(answer) : printResource(answer, note?.(answer))
})

/** Makes the command of an operation. */
export const operationCommand = (row: Operation) => {
  const operation = describeOperation(row)
  const { command, confirmation, id, isWhole, params, says } = operation
  const { annotations } = contractOf(id).endpoint
  const summary = Option.getOrElse(Context.getOption(annotations, OpenApi.Summary), () => command)
  const description = Option.getOrElse(Context.getOption(annotations, OpenApi.Description), () => summary)
  return Command.make(
    command.split(" ").at(-1) ?? command,
    inputOf(operation),
    Effect.fnUntraced(
      function* (given) {
        if (confirmation !== undefined) yield* confirmed(...confirmation, given.yes === true)
        const request = yield* readRequest(operation, given)
        const { call, open } = yield* AdminClient
        if (given.output !== undefined) {
          yield* writeWhole(given.output, open(id, request))
          return yield* printDone({ output: given.output }, `Written to ${given.output}, which only you can read.`)
        }
        const answer = yield* isWhole ? listAll(id, request) : call(id, request, labelIn(operation))
        yield* show(operation, answer, given.params[params.at(-1) ?? ""])
      },
      Effect.mapError((failure) =>
        failure.exitCode === exitCodes.usage ? wrongUsage(`${failure.message}: see care ${command} --help`) : failure
      )
    )
  ).pipe(
    Command.withDescription(says ?? description),
    Command.withShortDescription(says ?? summary),
    Command.withExamples([{ command: `care ${exampleOf(operation)}`, description: summary }])
  )
}
