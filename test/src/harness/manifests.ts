import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Schema } from "effect"
import type { Deployment as ApiDeployment, StatefulSet as ApiStatefulSet } from "kubernetes-types/apps/v1.d.ts"
import type { HorizontalPodAutoscaler as ApiAutoscaler } from "kubernetes-types/autoscaling/v2.d.ts"
import type { Job as ApiJob } from "kubernetes-types/batch/v1.d.ts"
import type {
  PersistentVolumeClaim as ApiClaim,
  Namespace as ApiNamespace,
  Service as ApiService
} from "kubernetes-types/core/v1.d.ts"
import type { NetworkPolicy as ApiNetworkPolicy } from "kubernetes-types/networking/v1.d.ts"
import type { PodDisruptionBudget as ApiBudget } from "kubernetes-types/policy/v1.d.ts"
import { parseAllDocuments } from "yaml"

export const manifestFolder = join(import.meta.dirname, "../../../deploy/kubernetes")

type Immutable<A> = A extends object ? { readonly [K in keyof A]: Immutable<A[K]> } : A

/** The members of a type that the published type lacks, at any depth. */
type Unpublished<A, Published> =
  A extends ReadonlyArray<infer Item>
    ? Published extends ReadonlyArray<infer PublishedItem>
      ? Unpublished<Item, PublishedItem>
      : never
    : A extends object
      ? {
          [K in keyof A]-?: K extends keyof Published ? Unpublished<NonNullable<A[K]>, NonNullable<Published[K]>> : K
        }[keyof A]
      : never

/** Takes a schema whose type fits the type that Kubernetes publishes. Schemas describe what is used, and refuse other members. */
const fitting =
  <Published>() =>
  <S extends Schema.Codec<Immutable<Published>, unknown>>(
    schema: S & ([Unpublished<S["Type"], Published>] extends [never] ? unknown : never)
  ): S =>
    schema

const { Array: List, Int, Literal, Literals, Record, String: Text, Struct, Tuple, optionalKey } = Schema
const Labels = Record(Text, Text)
const Selector = Struct({ matchLabels: Labels })
const Metadata = Struct({ name: Text, labels: Labels })

const Variable = Struct({ name: Text, value: Text })

const Probe = Struct({
  httpGet: Struct({ path: Text, port: Literal("http") }),
  periodSeconds: Int,
  timeoutSeconds: Int,
  failureThreshold: Int
})

const Resources = Struct({ requests: Struct({ cpu: Text, memory: Text }), limits: Struct({ memory: Text }) })
const Mounts = List(Struct({ name: Text, mountPath: Text, readOnly: optionalKey(Literal(true)) }))
const Volumes = List(
  Schema.Union([
    Struct({ name: Literal("temporary"), emptyDir: Struct({ sizeLimit: Text }) }),
    Struct({ name: Literal("secrets"), secret: Struct({ secretName: Text }) }),
    Struct({ name: Literal("erasures"), persistentVolumeClaim: Struct({ claimName: Text }) })
  ])
)

const ContainerSecurity = Struct({
  allowPrivilegeEscalation: Literal(false),
  readOnlyRootFilesystem: Literal(true),
  capabilities: Struct({ drop: Tuple([Literal("ALL")]) })
})

const PodSecurity = Struct({
  runAsNonRoot: Literal(true),
  runAsUser: Literal(1000),
  runAsGroup: Literal(1000),
  fsGroup: optionalKey(Literal(1000)),
  fsGroupChangePolicy: optionalKey(Literal("OnRootMismatch")),
  seccompProfile: Struct({ type: Literal("RuntimeDefault") })
})

const Container = Struct({
  name: Text,
  image: Text,
  command: List(Text),
  ports: Tuple([Struct({ name: Literal("http"), containerPort: Int })]),
  env: List(Variable),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  lifecycle: Struct({ preStop: Struct({ sleep: Struct({ seconds: Int }) }) }),
  resources: Resources,
  securityContext: ContainerSecurity,
  volumeMounts: Mounts
})

const PodTemplate = Struct({
  metadata: Struct({ labels: Labels, annotations: optionalKey(Labels) }),
  spec: Struct({
    automountServiceAccountToken: Literal(false),
    enableServiceLinks: Literal(false),
    terminationGracePeriodSeconds: Int,
    securityContext: PodSecurity,
    topologySpreadConstraints: List(
      Struct({
        maxSkew: Literal(1),
        topologyKey: Literals(["kubernetes.io/hostname", "topology.kubernetes.io/zone"]),
        whenUnsatisfiable: Literals(["DoNotSchedule", "ScheduleAnyway"]),
        nodeTaintsPolicy: Literal("Honor"),
        labelSelector: Selector,
        matchLabelKeys: optionalKey(Tuple([Literal("pod-template-hash")]))
      })
    ),
    containers: Tuple([Container]),
    volumes: Volumes
  })
})

const Deployment = fitting<ApiDeployment>()(
  Struct({
    apiVersion: Literal("apps/v1"),
    kind: Literal("Deployment"),
    metadata: Metadata,
    spec: Struct({
      strategy: Struct({
        type: Literal("RollingUpdate"),
        rollingUpdate: Struct({ maxUnavailable: Literal(0), maxSurge: Int })
      }),
      selector: Selector,
      template: PodTemplate
    })
  })
)

const StatefulSet = fitting<ApiStatefulSet>()(
  Struct({
    apiVersion: Literal("apps/v1"),
    kind: Literal("StatefulSet"),
    metadata: Metadata,
    spec: Struct({
      serviceName: Text,
      podManagementPolicy: Literal("Parallel"),
      persistentVolumeClaimRetentionPolicy: Struct({ whenDeleted: Literal("Retain"), whenScaled: Literal("Retain") }),
      updateStrategy: Struct({ type: Literal("RollingUpdate") }),
      selector: Selector,
      template: PodTemplate,
      volumeClaimTemplates: Tuple([
        Struct({
          metadata: Struct({ name: Text }),
          spec: Struct({
            accessModes: Tuple([Literal("ReadWriteOnce")]),
            resources: Struct({ requests: Struct({ storage: Text }) })
          })
        })
      ])
    })
  })
)

const Job = fitting<ApiJob>()(
  Struct({
    apiVersion: Literal("batch/v1"),
    kind: Literal("Job"),
    metadata: Metadata,
    spec: Struct({
      backoffLimit: Int,
      template: Struct({
        metadata: Struct({ labels: Labels }),
        spec: Struct({
          restartPolicy: Literal("Never"),
          automountServiceAccountToken: Literal(false),
          enableServiceLinks: Literal(false),
          securityContext: PodSecurity,
          containers: Tuple([
            Struct({
              name: Text,
              image: Text,
              command: List(Text),
              env: List(Variable),
              resources: Resources,
              securityContext: ContainerSecurity,
              volumeMounts: Mounts
            })
          ]),
          volumes: Volumes
        })
      })
    })
  })
)

const PersistentVolumeClaim = fitting<ApiClaim>()(
  Struct({
    apiVersion: Literal("v1"),
    kind: Literal("PersistentVolumeClaim"),
    metadata: Metadata,
    spec: Struct({
      accessModes: Tuple([Literal("ReadWriteMany")]),
      resources: Struct({ requests: Struct({ storage: Text }) })
    })
  })
)

const Service = fitting<ApiService>()(
  Struct({
    apiVersion: Literal("v1"),
    kind: Literal("Service"),
    metadata: Metadata,
    spec: Struct({
      selector: Labels,
      ports: Tuple([Struct({ name: Literal("http"), port: Int, targetPort: Literal("http") })])
    })
  })
)

const PodDisruptionBudget = fitting<ApiBudget>()(
  Struct({
    apiVersion: Literal("policy/v1"),
    kind: Literal("PodDisruptionBudget"),
    metadata: Metadata,
    spec: Struct({ maxUnavailable: Literal(1), selector: Selector })
  })
)

const Target = Struct({ type: Literal("AverageValue"), averageValue: Text })

const HorizontalPodAutoscaler = fitting<ApiAutoscaler>()(
  Struct({
    apiVersion: Literal("autoscaling/v2"),
    kind: Literal("HorizontalPodAutoscaler"),
    metadata: Metadata,
    spec: Struct({
      scaleTargetRef: Struct({ apiVersion: Literal("apps/v1"), kind: Text, name: Text }),
      minReplicas: Int,
      maxReplicas: Int,
      metrics: List(
        Schema.Union([
          Struct({ type: Literal("Resource"), resource: Struct({ name: Literal("cpu"), target: Target }) }),
          Struct({
            type: Literal("External"),
            external: Struct({ metric: Struct({ name: Text, selector: Selector }), target: Target })
          })
        ])
      )
    })
  })
)

const Peer = Struct({
  podSelector: optionalKey(Selector),
  namespaceSelector: optionalKey(Selector),
  ipBlock: optionalKey(Struct({ cidr: Text, except: List(Text) }))
})
const PolicyPort = Struct({ protocol: Literals(["TCP", "UDP"]), port: Int, endPort: optionalKey(Int) })

const NetworkPolicy = fitting<ApiNetworkPolicy>()(
  Struct({
    apiVersion: Literal("networking.k8s.io/v1"),
    kind: Literal("NetworkPolicy"),
    metadata: Metadata,
    spec: Struct({
      podSelector: Selector,
      policyTypes: List(Literals(["Ingress", "Egress"])),
      ingress: optionalKey(List(Struct({ from: optionalKey(List(Peer)), ports: List(PolicyPort) }))),
      egress: optionalKey(List(Struct({ to: optionalKey(List(Peer)), ports: List(PolicyPort) })))
    })
  })
)

export const Namespace = fitting<ApiNamespace>()(
  Struct({ apiVersion: Literal("v1"), kind: Literal("Namespace"), metadata: Metadata })
)

export const Manifest = Schema.Union([
  Deployment,
  StatefulSet,
  Job,
  PersistentVolumeClaim,
  Service,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  NetworkPolicy
])
export type Manifest = typeof Manifest.Type

/** Reads a text of YAML documents as a schema says, which refuses members that it does not name. */
export const documentsOf = <A>(schema: Schema.Codec<A, unknown>, text: string): ReadonlyArray<A> =>
  parseAllDocuments(text).map((document) =>
    Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(document.toJS())
  )

export const textIn = (file: string): string => readFileSync(join(manifestFolder, file), "utf8")

/** The names of the YAML files in a folder, without that of kustomize itself. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  globSync("*.yaml", { cwd: join(manifestFolder, folder) })
    .map((file) => basename(file))
    .filter((file) => file !== "kustomization.yaml")

/** Every object of the base. */
export const manifests: ReadonlyArray<Manifest> = filesIn("base").flatMap((file) =>
  documentsOf(Manifest, textIn(`base/${file}`))
)
