// Generated from the OpenAPI document by `npm run contract -w @atelier/client`. Do not edit.

import type { components } from "../contract.ts";

type Schemas = components["schemas"];

/** The operations of the service that respond with JSON or without a body. */
export interface Endpoints {
  "POST /v1/generate/image": {
    readonly body: Schemas["ImageRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/story": {
    readonly body: Schemas["StoryRequest"];
    readonly result: Schemas["JobAccepted"];
  };
  "POST /v1/generate/scene": {
    readonly body: Schemas["SceneRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/edit": {
    readonly body: Schemas["EditRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/combine": {
    readonly body: Schemas["CombineRequest"];
    readonly result: Schemas["CombinedResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/graphic": {
    readonly body: Schemas["GraphicRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/diagram": {
    readonly body: Schemas["DiagramRequest"];
    readonly result: Schemas["DiagramResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/upscale": {
    readonly body: Schemas["UpscaleRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/remove-background": {
    readonly body: Schemas["RemoveBackgroundRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/outpaint": {
    readonly body: Schemas["OutpaintRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/erase": {
    readonly body: Schemas["EraseRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/vectorize": {
    readonly body: Schemas["VectorizeRequest"];
    readonly result: Schemas["TracedResult"] | Schemas["JobAccepted"];
  };
  "POST /v1/generate/variations": {
    readonly body: Schemas["VariationsRequest"];
    readonly result: Schemas["ImageResult"] | Schemas["JobAccepted"];
  };
  "GET /v1/jobs": {
    readonly query: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly status?: "pending" | "processing" | "completed" | "failed" | "cancelled" | undefined;
      readonly kind?: "image" | "story" | undefined;
      readonly operation?:
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations"
        | undefined;
      readonly key?: string | undefined;
      readonly mode?: Schemas["KeyMode"] | undefined;
      readonly model?: string | undefined;
      readonly created_after?: string | undefined;
      readonly created_before?: string | undefined;
      readonly q?: string | undefined;
      readonly request_id?: string | undefined;
      readonly hash?: string | undefined;
      readonly similar_to?: string | undefined;
      readonly starred?: boolean | undefined;
      readonly collection?: string | undefined;
    };
    readonly result: Schemas["JobList"];
  };
  "GET /v1/jobs/{id}": { readonly result: Schemas["Job"] };
  "PATCH /v1/jobs/{id}": {
    readonly body: Schemas["ChangeJobRequest"];
    readonly result: Schemas["Job"];
  };
  "DELETE /v1/jobs/{id}": { readonly result: Schemas["Job"] };
  "DELETE /v1/jobs/{id}/images": { readonly result: Schemas["Job"] };
  "POST /v1/jobs/{id}/keep": { readonly result: Schemas["Job"] };
  "DELETE /v1/jobs/{id}/keep": { readonly result: Schemas["Job"] };
  "GET /v1/kept": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["KeptList"];
  };
  "POST /v1/batches": {
    readonly query: { readonly webhook_url?: string | undefined };
    readonly body: Schemas["NewBatch"];
    readonly result: Schemas["Batch"];
  };
  "GET /v1/batches": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["BatchList"];
  };
  "GET /v1/batches/{id}": { readonly result: Schemas["Batch"] };
  "DELETE /v1/batches/{id}": { readonly result: Schemas["Batch"] };
  "POST /v1/uploads": { readonly result: Schemas["Upload"] };
  "GET /v1/uploads/{id}": { readonly result: Schemas["Upload"] };
  "DELETE /v1/uploads/{id}": { readonly result: void };
  "POST /v1/characters": {
    readonly body: Schemas["NewCharacter"];
    readonly result: Schemas["KeptCharacter"] | Schemas["MemberAccepted"];
  };
  "GET /v1/characters": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["KeptCharacterList"];
  };
  "GET /v1/characters/{id}": { readonly result: Schemas["KeptCharacter"] };
  "PATCH /v1/characters/{id}": {
    readonly body: Schemas["ChangeCharacter"];
    readonly result: Schemas["KeptCharacter"];
  };
  "DELETE /v1/characters/{id}": { readonly result: void };
  "POST /v1/locations": {
    readonly body: Schemas["NewLocation"];
    readonly result: Schemas["KeptLocation"] | Schemas["MemberAccepted"];
  };
  "GET /v1/locations": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["KeptLocationList"];
  };
  "GET /v1/locations/{id}": { readonly result: Schemas["KeptLocation"] };
  "PATCH /v1/locations/{id}": {
    readonly body: Schemas["ChangeLocation"];
    readonly result: Schemas["KeptLocation"];
  };
  "DELETE /v1/locations/{id}": { readonly result: void };
  "POST /v1/collections": { readonly body: object; readonly result: Schemas["Collection"] };
  "GET /v1/collections": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["CollectionList"];
  };
  "GET /v1/collections/{id}": { readonly result: Schemas["Collection"] };
  "PATCH /v1/collections/{id}": {
    readonly body: Schemas["ChangeCollectionRequest"];
    readonly result: Schemas["Collection"];
  };
  "DELETE /v1/collections/{id}": { readonly result: void };
  "POST /v1/presets": { readonly body: Schemas["NewPreset"]; readonly result: Schemas["Preset"] };
  "GET /v1/presets": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["PresetList"];
  };
  "GET /v1/presets/{id}": { readonly result: Schemas["Preset"] };
  "DELETE /v1/presets/{id}": { readonly result: void };
  "POST /v1/assist/prompt": {
    readonly body: Schemas["ImprovePromptRequest"];
    readonly result: Schemas["PromptSuggestions"];
  };
  "POST /v1/assist/story": {
    readonly body: Schemas["DraftStoryRequest"];
    readonly result: Schemas["StoryDraft"];
  };
  "POST /v1/shares": {
    readonly body: Schemas["NewShare"];
    readonly result: Schemas["CreatedShare"];
  };
  "GET /v1/shares": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["ShareList"];
  };
  "GET /v1/shares/{id}": { readonly result: Schemas["Share"] };
  "DELETE /v1/shares/{id}": { readonly result: void };
  "GET /v1/webhooks": {
    readonly query: { readonly kind?: "account" | "request" | undefined };
    readonly result: Schemas["WebhookList"];
  };
  "POST /v1/webhooks": {
    readonly body: Schemas["CreateWebhookRequest"];
    readonly result: Schemas["WebhookWithSecret"];
  };
  "GET /v1/webhooks/{id}": { readonly result: Schemas["Webhook"] };
  "PATCH /v1/webhooks/{id}": {
    readonly body: Schemas["UpdateWebhookRequest"];
    readonly result: Schemas["Webhook"];
  };
  "DELETE /v1/webhooks/{id}": { readonly result: Schemas["Webhook"] };
  "POST /v1/webhooks/{id}/test": { readonly result: Schemas["WebhookDelivery"] };
  "POST /v1/webhooks/{id}/rotate-secret": {
    readonly body: object;
    readonly result: Schemas["WebhookWithSecret"];
  };
  "GET /v1/webhooks/{id}/deliveries": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["WebhookDeliveryList"];
  };
  "GET /v1/jobs/{id}/deliveries": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["WebhookDeliveryList"];
  };
  "POST /v1/deliveries/{id}/retry": { readonly result: Schemas["WebhookDelivery"] };
  "GET /v1/models": {
    readonly query: { readonly "api-version"?: string | undefined };
    readonly result: Schemas["ModelList"];
  };
  "GET /v1/models/{id}": {
    readonly query: { readonly "api-version"?: string | undefined };
    readonly result: object;
  };
  "GET /v1/account": { readonly result: Schemas["Account"] };
  "PATCH /v1/account": {
    readonly body: Schemas["UpdateAccountRequest"];
    readonly result: Schemas["Account"];
  };
  "GET /v1/account/webhook-secret": {
    readonly query: { readonly mode?: string | undefined };
    readonly result: Schemas["AccountWebhookSecret"];
  };
  "POST /v1/account/webhook-secret": {
    readonly body: object;
    readonly result: Schemas["AccountWebhookSecret"];
  };
  "GET /v1/usage": {
    readonly query: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      readonly group_by?: "day" | "model" | "key" | "budget" | "kind" | undefined;
      readonly mode?: Schemas["KeyMode"] | undefined;
      readonly format?: "json" | "csv" | undefined;
    };
    readonly result: Schemas["Usage"];
  };
  "POST /v1/quotes": { readonly body: Schemas["QuoteRequest"]; readonly result: Schemas["Quote"] };
  "GET /v1/transactions": {
    readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly result: Schemas["TransactionList"];
  };
  "GET /v1/keys": { readonly result: Schemas["ApiKeyList"] };
  "POST /v1/keys": {
    readonly body: Schemas["CreateKeyRequest"];
    readonly result: Schemas["MintedKey"];
  };
  "PATCH /v1/keys/{id}": {
    readonly body: Schemas["UpdateKeyRequest"];
    readonly result: Schemas["ChangedKey"];
  };
  "DELETE /v1/keys/{id}": { readonly result: Schemas["ChangedKey"] };
  "POST /v1/keys/{id}/rotate": { readonly body: object; readonly result: Schemas["MintedKey"] };
  "POST /v1/budgets": { readonly body: Schemas["NewBudget"]; readonly result: Schemas["Budget"] };
  "GET /v1/budgets": { readonly result: Schemas["BudgetList"] };
  "GET /v1/budgets/{id}": { readonly result: Schemas["Budget"] };
  "PATCH /v1/budgets/{id}": {
    readonly body: Schemas["UpdateBudgetRequest"];
    readonly result: Schemas["Budget"];
  };
  "DELETE /v1/budgets/{id}": { readonly result: void };
  "GET /v1/members": { readonly result: Schemas["MemberList"] };
  "POST /v1/members": {
    readonly body: Schemas["InviteMemberRequest"];
    readonly result: Schemas["MemberWithLink"];
  };
  "PATCH /v1/members/{id}": {
    readonly body: Schemas["UpdateMemberRequest"];
    readonly result: Schemas["ChangedMember"];
  };
  "DELETE /v1/members/{id}": { readonly result: Schemas["ChangedMember"] };
  "POST /v1/members/{id}/link": { readonly result: Schemas["MemberWithLink"] };
  "POST /v1/members/{id}/disable": { readonly result: Schemas["ChangedMember"] };
  "POST /v1/members/{id}/enable": { readonly result: Schemas["MemberWithLink"] };
  "POST /v1/members/{id}/hand-over": {
    readonly body: Schemas["HandOverRequest"];
    readonly result: Schemas["HandedOver"];
  };
  "GET /v1/files": { readonly result: Schemas["FileList"] };
}
