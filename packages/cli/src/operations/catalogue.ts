import type { Operation } from "./Operation.ts"

/** Products, forms and bundles. */
export const catalogue: ReadonlyArray<Operation> = [
  { id: "catalogue.createProduct", command: "product create", arguments: ["name"] },
  {
    id: "catalogue.listProducts",
    command: "product list",
    columns: "id name description price currency isArchived createdAt"
  },
  { id: "catalogue.changeProduct", command: "product change" },
  { id: "catalogue.createForm", command: "form create", file: "body" },
  { id: "catalogue.listForms", command: "form list", columns: "id title description isArchived createdAt" },
  { id: "catalogue.getForm", command: "form show", isJson: true },
  { id: "catalogue.changeForm", command: "form change" },
  { id: "catalogue.createBundle", command: "bundle create", file: "body" },
  {
    id: "catalogue.listBundles",
    command: "bundle list",
    columns: "id name price priceUnit productIds isSoldOut isVisible isArchived createdAt"
  },
  { id: "catalogue.getBundle", command: "bundle show" },
  { id: "catalogue.changeBundle", command: "bundle change" }
]
