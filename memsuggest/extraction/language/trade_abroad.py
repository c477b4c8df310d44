"""The trade abroad: words of software work in German, French, Spanish, Portuguese, Italian, Japanese and Chinese.

Owns word lists only; `trade` reads sentences with them.
"""

from __future__ import annotations

import re

from memsuggest.text.words import word_set

ABROAD = word_set(
    """
    feldname feldnamen tabellenname tabellennamen klassenname klassennamen dateiname dateinamen variablennamen modul
    module modulen paket pakete paketen zweig zweige branches abfrage abfragen umgebung umgebungen testumgebung
    bibliothek bibliotheken schnittstellen datenbanken endpunkt endpunkte schlüssel fremdschlüssel zugangsdaten
    passwörter kommentaren tests testdaten testfälle testklassen komponente komponenten methoden methode typen
    konstante konstanten konfiguration abhängigkeiten migration migrationen freigabe auslieferung quellcode
    produktivsystem produktion übersetzungen codebasis pipeline zeilenlänge einrückung fehlermeldungen
    fehlermeldung protokoll protokolle skripten ordnern verzeichnisse werkzeug versionen eigenschaften vorlage vorlagen
    module modules paquet paquets branche branches requête requêtes environnement environnements bibliothèque
    bibliothèques interface interfaces base bases clé clés dépôts méthode méthodes classe classes variables composant
    composants constantes configuration dépendance dépendances migrations déploiement déploiements livraison prod
    conteneur conteneurs serveur serveurs règle règles journaux tests nommage
    módulo módulos paquete paquetes rama ramas consulta consultas entorno entornos librería librerías biblioteca
    bibliotecas clave claves método métodos clases variable variables componente componentes constante constantes
    configuración dependencia dependencias migración migraciones despliegue despliegues servidor servidores validación
    peticiones registros carpetas repositorio repositorios tipo tipos endpoint nombres compilación producción
    pacote pacotes ramo branches consulta consultas ambiente ambientes chave chaves métodos classes variável variáveis
    componentes configuração dependência dependências migração migrações implantação servidor servidores validação
    repositório repositórios nomes compilação produção pastas scripts
    modulo moduli pacchetto pacchetti ramo rami ambiente libreria librerie tabelle classi metodo metodi variabili
    componenti configurazione dipendenza dipendenze migrazione migrazioni rilascio cartella cartelle codice nomi
    funzione funzioni messaggi commenti errori
    """
)
"""Beside those that `trade` knows."""

WIDER = word_set(
    """
    dep deps return returns ternary ternaries globals global mixin mixins wrapper wrappers guard guards nesting
    recursion docblock docblocks jsdoc javadoc rustdoc monorepo turborepo vault artifactory registry lockfile lockfiles
    vpn suite suites runner runners wasm adr adrs openapi swagger payload payloads middleware middlewares controller
    controllers handler handlers helper helpers util utils utility hint hints i18n l10n locale locales
    translation translations
    toggle cronjob cronjobs console print prints stripe sentry datadog grafana prometheus bucket buckets lambdas
    requirement requirements seed seeds typecheck tsc tsconfig jsx tsx reducer reducers selector selectors dto dtos
    entity entities abbreviation abbreviations business logic early eager lazy nullable generic codegen generated schema
    serializer serializers validator validators validation parser parsers adapter adapters facade factories subclass
    subclasses superclass macro macros pragma include includes header crate crates gem gems wheel wheels artifact
    artifacts image images tag tags hotfix hotfixes backport backports rollout rollouts rollback cluster clusters node
    nodes pod pods namespace namespaces terraform ansible pulumi helm kustomize argo airflow dbt spark kafka rabbitmq
    celery sidekiq heap stack allocation allocations alloc malloc interrupt interrupts firmware bootloader driver kernel
    simulator emulator device devices gpu cpu ram quota notebook notebooks dataset datasets checkpoint checkpoints
    hyperparameter hyperparameters epoch epochs metric metrics shader shaders texture textures sprite sprites prefab
    prefabs scene scenes asset assets action actions digest digests
    """
)
"""Words by which work is spoken of to an assistant, and talk about other things may have them, too."""

DENSE = re.compile(
    r"テスト|コード|関数|変数|ファイル|コミット|クラス|コメント|ドキュメント|エラー|ログ|回答|プロジェクト|ブランチ"
    r"|ライブラリ|モジュール|パッケージ|サーバー|環境|本番|命名|設定|依存|ビルド|デプロイ|リポジトリ|マイグレーション"
    r"|スタイル|レビュー|フォルダ|ディレクトリ|データベース|クエリ|スキーマ|コンポーネント|秘密情報"
    r"|测试|代码|函数|变量|文件|提交|注释|文档|错误|日志|数据库|回复|回答|项目|分支|接口|组件"
    r"|模块|依赖|环境|配置|部署|构建|类型|命名|仓库|迁移|脚本|缓存|版本|单测|线上|生产|目录|框架|事务|工具类"
)
LATIN_RUN = re.compile(r"(?<![a-z])[a-z]{2,}(?![a-z])")
"""A word in Latin letters between signs that are written without spaces."""
SIGNS = re.compile(r"[\u3041-\u9fff]")
