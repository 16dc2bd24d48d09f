import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** Neo4j Community with nothing but Bolt on loopback: BoltServer FOLDER PORT PASSWORD */
class BoltServer {
    public static void main(String[] arguments) {
        var port = Integer.parseInt(arguments[1]);
        var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0]))
            .setConfig(BoltConnector.enabled, true)
            .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
            .setConfig(GraphDatabaseSettings.auth_enabled, true)
            .setConfig(GraphDatabaseSettings.pagecache_memory, 64L << 20)
            .build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        var password = "ALTER USER neo4j SET PASSWORD '" + arguments[2] + "' CHANGE NOT REQUIRED";
        try {
            server.database("system").executeTransactionally(password);
        } catch (RuntimeException sameAsBefore) {
            // After a restart the password is the new one already, which Neo4j refuses to set again.
        }
        System.out.println("ready");
    }
}
